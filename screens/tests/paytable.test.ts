import { describe, expect, test } from "vitest";
import { figuresOf } from "../src/paytable/bet_facts";
import { oneIn, percent, readFraction, rounded } from "../src/paytable/fraction";

describe("exact fractions", () => {
  test("are rounded in whole numbers, so that no digit is a double's", () => {
    expect(percent(readFraction("241149546272/19524993263685"))).toBe("1.2351%");
    expect(percent(readFraction("1/3"))).toBe("33.3333%");
    expect(percent(readFraction("199999/200000"))).toBe("99.9995%");
    expect(percent(readFraction("0/1"))).toBe("0.0000%");
  });
  test("round halves away from zero and keep the sign of what is left", () => {
    expect(rounded({ over: 1n, under: 8n }, 2)).toBe("0.13");
    expect(rounded({ over: -1n, under: 8n }, 2)).toBe("-0.13");
    expect(rounded({ over: -1n, under: 1_000_000n }, 2)).toBe("0.00");
    expect(rounded({ over: 5n, under: 2n }, 0)).toBe("3");
  });
  test("are told as one in so many, and what never happens is not", () => {
    expect(oneIn(readFraction("1/3"))).toBe("3.00");
    expect(oneIn(readFraction("8712962041376/19524993263685"))).toBe("2.24");
    expect(oneIn(readFraction("2/1001"))).toBe("501");
    expect(oneIn(readFraction("0/1"))).toBeNull();
  });
});

describe("the figures of a bet", () => {
  const tie = {
    win: "619306544887/6508331087895",
    push: "0/1",
    lose: "5889024543008/6508331087895",
    house_edge: "934572183912/6508331087895",
    house_edge_decimal: 0.14359628,
    house_edge_resolved: null,
    sd: 2.64,
  };
  test("leave out a push that cannot happen, and tell the edge without a one in", () => {
    const figures = figuresOf(tie);
    expect(figures.map(({ name }) => name)).toEqual(["chance_win", "chance_lose", "house_edge"]);
    expect(figures[0]).toEqual({ name: "chance_win", percent: "9.5156%", oneIn: "10.51", exact: tie.win });
    expect(figures.at(-1)?.oneIn).toBeNull();
  });
});
