import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemoryFolder } from "./memory-folder.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), "memory-"));
});
afterEach(() => rmSync(place, { recursive: true }));

describe("A run's folder in memory", () => {
  it("does not exist where there is no such file system, or little memory", () => {
    expect(openMemoryFolder({ place: path.join(place, "none"), neededBytes: 1 })).toBeNull();
    expect(openMemoryFolder({ place, neededBytes: 1_000, availableBytes: 1_000 })).toBeNull();
    expect(openMemoryFolder({ place, neededBytes: 2 ** 50, availableBytes: 2 ** 60 })).toBeNull();
  });

  it("is removed with everything in it", () => {
    const folder = openMemoryFolder({ place, neededBytes: 1 });
    const { TEST_DATA_DIR = "", TMPDIR = "" } = folder?.env ?? {};
    mkdirSync(TEST_DATA_DIR);
    writeFileSync(path.join(TMPDIR, "file"), "");
    folder?.remove();
    expect(existsSync(TMPDIR)).toBe(false);
    expect(existsSync(TEST_DATA_DIR)).toBe(false);
  });

  it("stays while a server of another run uses it", () => {
    const folder = openMemoryFolder({ place, neededBytes: 1 });
    const { TEST_DATA_DIR = "" } = folder?.env ?? {};
    mkdirSync(TEST_DATA_DIR);
    const lock = path.join(TEST_DATA_DIR, "postmaster.pid");
    writeFileSync(lock, "1\n");
    folder?.remove();
    expect(existsSync(TEST_DATA_DIR)).toBe(true);
    rmSync(lock);
    folder?.remove();
    expect(existsSync(TEST_DATA_DIR)).toBe(false);
  });
});
