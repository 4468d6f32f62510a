/** Receives an imported file, by the form of the page and by its script. */
import { z } from "zod";
import { importKinds } from "#app/domain/imports/formats.ts";
import { checkFile } from "#app/domain/imports/imports.server.ts";
import { operatorUpload } from "#app/portal/upload-action.server.ts";
import { waitBriefly } from "./brief-wait.ts";

const chosenKind = z.object({
  kind: z
    .enum(["", ...importKinds], "Choose a kind")
    .default("")
    .transform((kind) => kind || undefined),
});

/** @returns the path of the import's page */
export const receiveUpload = operatorUpload({
  field: "file",
  schema: chosenKind,
  work: async ({ ctx, caller }, { name, content }, { kind }) => {
    const { id, done } = await checkFile(ctx, caller, { fileName: name, content, kind });
    await waitBriefly(done);
    return `/operations/import/${id}`;
  },
});
