export const installedChromium: () => string | null;
