export const comparePath = (origin: string, destination: string): string =>
  `/compare?${new URLSearchParams({ origin, destination })}`;
