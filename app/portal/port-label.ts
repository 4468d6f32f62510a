/** `Shanghai (CNSHA)`: a port in a field, which `findPort` understands. */
export const portLabel = ({ name, unlocode }: { name: string; unlocode: string }): string => `${name} (${unlocode})`;
