/** For supervisors: 200 as long as this process answers. It depends on nothing else, so a restart can help when it fails. */
export const loader = (): Response => Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
