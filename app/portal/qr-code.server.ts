import { encode } from "uqr";

/** A QR code as one SVG path in a square of `size`, each module 1 by 1. The caller adds the quiet zone. */
export type QrCode = { size: number; path: string };

export const qrCodeOf = (text: string): QrCode => {
  const { size, data } = encode(text, { ecc: "M", border: 0 });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: modules.join("") };
};
