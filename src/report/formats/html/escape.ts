const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/**
 * Text for between tags and in quoted attributes. Control characters, which HTML does not allow, and bidirectional overrides, which
 * would reorder what stands around them, become U+FFFD.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}
