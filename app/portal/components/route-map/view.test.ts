import { describe, expect, it } from "vitest";
import type { MapPoint, ViewBox } from "./projection.ts";
import { canZoom, moved, pinched, zoomed } from "./view.ts";

const view: ViewBox = { x: 400, y: 100, width: 200, height: 100 };

describe("zoomed", () => {
  it("keeps the point under the pointer in its place", () => {
    const around = { x: 450, y: 125 };
    const closer = zoomed(view, 2, around);
    expect(closer).toEqual({ x: 425, y: 112.5, width: 100, height: 50 });
    expect((around.x - closer.x) / closer.width).toBe((around.x - view.x) / view.width);
  });

  it("zooms around the centre without a pointer", () => {
    expect(zoomed(view, 2)).toEqual({ x: 450, y: 125, width: 100, height: 50 });
  });

  it("ends at the whole world, and where the coast has no more detail", () => {
    expect(zoomed(view, 1 / 1_000)).toEqual({ x: 0, y: 0, width: 1_000, height: 500 });
    expect(zoomed(view, 1_000).width).toBe(24);
    expect(canZoom(zoomed(view, 1 / 1_000), "out")).toBe(false);
    expect(canZoom(zoomed(view, 1_000), "in")).toBe(false);
    expect([canZoom(view, "in"), canZoom(view, "out")]).toEqual([true, true]);
  });
});

describe("moved", () => {
  it("moves by a share of the view, and never off the map", () => {
    expect(moved(view, 0.5, -0.5)).toEqual({ ...view, x: 500, y: 50 });
    expect(moved(view, 100, 100)).toEqual({ ...view, x: 800, y: 420 });
    expect(moved(view, -100, -100)).toEqual({ ...view, x: 0, y: 0 });
  });
});

describe("pinched", () => {
  const toMap = ({ x, y }: MapPoint): MapPoint => ({ x: view.x + x / 4, y: view.y + y / 4 });

  it("zooms by as much as the fingers have spread", () => {
    const apart = pinched(
      view,
      [
        { x: 300, y: 200 },
        { x: 500, y: 200 },
      ],
      [
        { x: 200, y: 200 },
        { x: 600, y: 200 },
      ],
      toMap,
    );
    expect(apart).toEqual(zoomed(view, 2));
  });

  it("moves the map along with both fingers", () => {
    const along = pinched(
      view,
      [
        { x: 300, y: 200 },
        { x: 500, y: 200 },
      ],
      [
        { x: 340, y: 200 },
        { x: 540, y: 200 },
      ],
      toMap,
    );
    expect(along).toEqual({ ...view, x: 390 });
  });
});
