/** Fails if a package of the lockfile has a licence that nobody has agreed to. */
import fs from "node:fs";
import { type Licensed, licenceComplaints } from "./supply/licences.ts";

type Entry = { version: string; license?: string; dev?: boolean };
const { packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };

/** As the installed package says. One for another platform is not installed; the lockfile has its licence. */
const licenceOf = (place: string, { license }: Entry): unknown => {
  const manifest = `${place}/package.json`;
  if (!fs.existsSync(manifest)) return license;
  const stated = JSON.parse(fs.readFileSync(manifest, "utf8")) as { license?: unknown; licenses?: unknown };
  return stated.license ?? stated.licenses;
};

const installed = Object.entries(packages)
  .filter(([place]) => place !== "")
  .map(
    ([place, entry]): Licensed => ({
      name: place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length),
      version: entry.version,
      licence: licenceOf(place, entry),
      isTool: entry.dev === true,
    }),
  );
const complaints = licenceComplaints(installed);
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(`${installed.length} packages, ${complaints.length} complaints about licences\n`);
process.exitCode = complaints.length > 0 ? 1 : 0;
