/** Paths of contracts as patterns. Pure. */

/** The parameters of a path, percent-encoded as they came. */
export type PathParams = Record<string, string>;

/**
 * @param template a contract's path, such as `/api-keys/{api_key_id}`
 * @returns a function from a path below `/api` to its parameters; null if the path does not match
 */
export const pathMatcher = (template: string): ((path: string) => PathParams | null) => {
  const pattern = new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return (path) => {
    const match = pattern.exec(path);
    return match && { ...match.groups };
  };
};

export const hasParams = (template: string): boolean => template.includes("{");
