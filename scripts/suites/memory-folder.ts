/**
 * A folder in memory for what `npm test` writes: databases and temporary files. Each test file clones a database of 900 files and
 * drops it again. Files are slow to create on ext4 where many have been deleted lately, so that clones on disk take longer and longer.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { readLock } from "../embedded-postgres/lock-file.ts";

export type MemoryFolder = {
  env: { TEST_DATA_DIR: string; TMPDIR: string };
  /** Another run of this checkout may still use it. Then it stays. */
  remove(): void;
};

/**
 * @param options.place a file system in memory
 * @param options.neededBytes of it; by default twice what a whole run takes
 * @param options.availableBytes of memory, for this process
 * @returns null where there is no such file system, or too little room: then everything is on disk
 */
export const openMemoryFolder = ({
  place = "/dev/shm",
  neededBytes = 4 * 1024 ** 3,
  availableBytes = process.availableMemory(),
} = {}): MemoryFolder | null => {
  if (availableBytes < 2 * neededBytes || freeBytesOf(place) < neededBytes) return null;
  const checkout = createHash("sha256").update(process.cwd()).digest("hex").slice(0, 8);
  const folder = path.join(place, `route-data-tests-${process.getuid?.()}-${checkout}`);
  const [dataDir, temporary] = [path.join(folder, "postgres"), path.join(folder, "tmp")];
  fs.mkdirSync(temporary, { recursive: true });
  // As /tmp: programs of other users write there as well.
  fs.chmodSync(temporary, 0o1777);
  return {
    env: { TEST_DATA_DIR: dataDir, TMPDIR: temporary },
    remove: () => {
      if (readLock(dataDir) === null) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** 0 where it does not exist or is read-only for this user. */
const freeBytesOf = (place: string): number => {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    const { bavail, bsize } = fs.statfsSync(place);
    return bavail * bsize;
  } catch {
    return 0;
  }
};
