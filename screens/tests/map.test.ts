import { describe, expect, test } from "vitest";
import { axisOf, placeOn, timesOf } from "../src/chart/axis";
import { LEVELS, markOf, placesOf, ringsOf } from "../src/map/seats";

describe("the seats of a table on the map", () => {
  test("stand apart from each other, however many there are", () => {
    for (const seats of [1, 7, 30, 31, 50]) {
      const places = placesOf(seats);
      expect(places).toHaveLength(seats);
      const apart = places.flatMap((one, place) => places.slice(place + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
      expect(Math.min(...apart, 99)).toBeGreaterThan(9);
    }
    expect(ringsOf(50)).toHaveLength(2);
  });

  test("are marked by trouble first, and then by their money", () => {
    const scale = [500, 2_000, 10_000];
    expect([100, 500, 2_000, 10_000].map((cents) => markOf(["A1", "playing", cents], scale))).toEqual([...LEVELS]);
    expect(markOf(["A1", "called", 10_000], scale)).toBe("called");
    expect(markOf(["A1", "out_of_service", 0], scale)).toBe("out");
    expect(markOf(["A1", "playing", null], scale)).toBe("hidden");
    expect(markOf(["A1", "free", 0], scale)).toBe("free");
  });
});

describe("an axis", () => {
  test("has round steps that hold every figure and nought", () => {
    for (const figures of [[0], [3, 17], [-370, 838], [-5, -1], [1_410_000]]) {
      const { low, high, ticks } = axisOf(figures);
      expect(low).toBeLessThanOrEqual(Math.min(0, ...figures));
      expect(high).toBeGreaterThanOrEqual(Math.max(0, ...figures));
      expect(high).toBeGreaterThan(low);
      expect(ticks).toContain(0);
    }
  });

  test("of one moment is as wide as an hour", () => {
    const { low, high } = timesOf([7_200_000]);
    expect(high - low).toBe(3_600_000);
    expect(placeOn({ low, high, ticks: [] }, 0, 100)(7_200_000)).toBe(50);
  });
});
