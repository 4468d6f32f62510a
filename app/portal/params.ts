/** A number in a page's address. Anything else is no page of ours. */
export const idOf = (param: string | undefined): number => {
  if (!/^[1-9]\d{0,8}$/.test(param ?? "")) throw new Response("Not found", { status: 404 });
  return Number(param);
};
