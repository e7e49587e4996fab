/** For so many hours the former of two signing secrets signs too, unless told otherwise. */
export const OVERLAP_HOURS = 24;
export const OVERLAP_HOURS_MAX = 168;
