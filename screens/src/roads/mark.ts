// The three derived roads, and how the marks of each are drawn.

export type DerivedRoadName = "big_eye_boy" | "small_road" | "cockroach_pig";
export const DERIVED: readonly DerivedRoadName[] = ["big_eye_boy", "small_road", "cockroach_pig"];
