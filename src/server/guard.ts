/**
 * What keeps web pages out. A page from elsewhere can make a browser on this machine send requests here; it gives itself away by
 * its `Origin`, by `Sec-Fetch-Site`, or, after rebinding its own name to this address, by a `Host` that is not ours.
 */

/** The host part of a `Host` header or authority, lower-cased and without port or brackets; null when it is none. */
export function hostnameOf(authority: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(authority)
  return match === null ? null : (match[1] ?? match[2]!).toLowerCase()
}

/** Whether a host name or address can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** Whether a `Host` header is one of ours: any port (tunnels change it), but only loopback names and those in `allowed`. */
export function isOwnHost(host: string | undefined, allowed: readonly string[]): boolean {
  const hostname = host === undefined ? null : hostnameOf(host)
  return hostname !== null && (isLoopback(hostname) || allowed.includes(hostname))
}

/** Whether a request was made by another web page. Programs send none of these headers; our own page sends its own origin. */
export function isForeign({
  origin,
  site,
  mode,
  host,
}: {
  origin: string | undefined
  site: string | undefined // Sec-Fetch-Site
  mode: string | undefined // Sec-Fetch-Mode
  host: string | undefined
}): boolean {
  if (origin !== undefined) {
    const [, authority] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
    return authority === undefined || authority.toLowerCase() !== host?.toLowerCase()
  }
  return (site === "cross-site" || site === "same-site") && mode !== "navigate"
}
