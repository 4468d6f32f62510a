import type { Config } from "tailwindcss";

/**
 * Names for the design tokens of app/styles.css, which hold the values for light, dark and high contrast. Tailwind's
 * default palette is off, so that pages can only use colours whose contrast is checked.
 */
export default {
  theme: {
    colors: {
      transparent: "transparent",
      current: "currentColor",
      inherit: "inherit",
      canvas: "var(--canvas)",
      surface: "var(--surface)",
      sunken: "var(--sunken)",
      line: "var(--line)",
      "line-strong": "var(--line-strong)",
      ink: "var(--ink)",
      muted: "var(--muted)",
      faint: "var(--faint)",
      accent: "var(--accent)",
      "accent-fill": "var(--accent-fill)",
      "accent-fill-hover": "var(--accent-fill-hover)",
      "on-accent": "var(--on-accent)",
      "accent-soft": "var(--accent-soft)",
      "accent-line": "var(--accent-line)",
      warning: "var(--warning)",
      "warning-soft": "var(--warning-soft)",
      "warning-line": "var(--warning-line)",
      danger: "var(--danger)",
      "danger-fill": "var(--danger-fill)",
      "danger-fill-hover": "var(--danger-fill-hover)",
      "on-danger": "var(--on-danger)",
      "danger-soft": "var(--danger-soft)",
      "danger-line": "var(--danger-line)",
      success: "var(--success)",
      "success-soft": "var(--success-soft)",
      "success-line": "var(--success-line)",
      helm: "var(--helm)",
      "helm-raised": "var(--helm-raised)",
      "helm-line": "var(--helm-line)",
      "on-helm": "var(--on-helm)",
      "on-helm-muted": "var(--on-helm-muted)",
      "helm-accent": "var(--helm-accent)",
      sea: "var(--sea)",
      land: "var(--land)",
      "chart-1": "var(--chart-1)",
      "chart-2": "var(--chart-2)",
      "chart-3": "var(--chart-3)",
    },
    extend: {
      boxShadow: {
        card: "var(--shadow-card)",
        float: "var(--shadow-float)",
      },
    },
  },
} satisfies Config;
