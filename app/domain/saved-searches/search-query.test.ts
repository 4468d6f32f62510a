import { describe, expect, it } from "vitest";
import { searchQuery } from "./search-query.ts";

describe("The query of a search", () => {
  it("is the same in whatever order its filters were chosen", () => {
    const one = searchQuery({ cargo_type: ["container"], carrier: ["PEL", "ALD"], origin: "CNSHA", sort: "price" });
    const other = searchQuery({
      sort: "price",
      origin: "CNSHA",
      carrier: ["ALD", "PEL", "ALD"],
      cargo_type: ["container"],
    });
    expect(one).toBe("origin=CNSHA&carrier=ALD&carrier=PEL&cargo_type=container&sort=price");
    expect(other).toBe(one);
  });

  it("is empty if nothing narrows the search", () => {
    expect(searchQuery({})).toBe("");
    expect(searchQuery({ q: "", carrier: [], sort: "price" })).toBe("");
  });

  it("encodes the words", () => {
    expect(searchQuery({ q: "são paulo & santos" })).toBe("q=s%C3%A3o+paulo+%26+santos");
  });
});
