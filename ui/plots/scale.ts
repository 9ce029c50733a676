// Scales of plots: from values to pixels.

/** Maps values between two ends linearly onto pixels between two others. */
export function scale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  const factor = to === from ? 0 : (end - start) / (to - from)
  return value => Math.round((start + (value - from) * factor) * 100) / 100
}

/** The next round number that is not below a value: 1, 2, 4, 6, 8, 10, 20, … */
export function niceTop(value: number): number {
  if (value <= 0) return 1
  const unit = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 6, 8, 10].find(step => step * unit >= value) ?? 10) * unit
}
