/** The path of an address of ours: whatever name the site was opened under, stay there. */
export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};
