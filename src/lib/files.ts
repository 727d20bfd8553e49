import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Where the next version of the file at `path` is built; renamed over it when it is whole. */
export function buildingPath(path: string): string {
  return `${path}.building`
}

/**
 * Puts the finished file `building` in the place of `path`, so that a crash or power cut leaves either the old file or the new
 * one, never half of it: data to disk, rename, folder entry to disk.
 */
export function commitFile(building: string, path: string): void {
  syncPath(building)
  renameSync(building, path)
  syncPath(dirname(path))
}

/** Writes a whole file by {@link commitFile}; nothing is left behind when that fails. */
export function writeFileWhole(path: string, content: string | Uint8Array): void {
  const building = buildingPath(path)
  try {
    writeFileSync(building, content)
    commitFile(building, path)
  } catch (error) {
    rmSync(building, { force: true })
    throw error
  }
}

function syncPath(path: string): void {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
