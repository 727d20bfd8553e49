import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * The folder of the UI as it would be shipped: `dist/ui` where it is no older than its sources, else one that is built now,
 * a folder for each process, so that nobody's server changes under their hands. `SOUK_UI` names another that was built before.
 */
export function builtUi(): string {
  if (process.env.SOUK_UI) return process.env.SOUK_UI
  const shipped = join(root, "dist", "ui")
  if (isNewer(shipped, newest([join(root, "ui"), join(root, "package-lock.json")]))) return shipped
  const own = mkdtempSync(join(tmpdir(), "souk-ui-build-"))
  process.once("exit", () => rmSync(own, { recursive: true, force: true }))
  const options = ["--", "--outDir", own, "--emptyOutDir", "--logLevel", "error"]
  execFileSync("npm", ["run", "build", "--silent", "--workspace", "ui", ...options], { cwd: root, stdio: "inherit" })
  return own
}

function isNewer(folder: string, than: number): boolean {
  const page = join(folder, "index.html")
  return existsSync(page) && statSync(page).mtimeMs > than
}

/** When the last one of these files, or of those in these folders, was changed. */
function newest(paths: readonly string[]): number {
  return Math.max(
    ...paths.map((path) => {
      const stat = statSync(path)
      if (!stat.isDirectory()) return stat.mtimeMs
      const inside = readdirSync(path).filter((name) => name !== "node_modules" && !name.endsWith(".test.ts"))
      return newest(inside.map((name) => join(path, name)))
    }),
  )
}
