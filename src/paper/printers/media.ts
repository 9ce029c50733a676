// The media loaded in a printer, by their IPP names, and which size of a label they suit. Pure.

/** A medium with its size in millimetres. */
export interface Medium {
  /** its IPP name: `oe_4x6-label_4x6in`, `custom_label_100x50mm` */
  name: string
  width: number
  height: number
}

const millimetres: Record<string, number> = { mm: 1, in: 25.4 }
/** Two sizes are the same within this many millimetres: 100 × 50 mm is cut as 4 × 2 in, too. */
const toleranceMM = 2

/** The media whose names end with their size, as IPP has them. Others are left out. */
export const parseMedia = (names: readonly string[]): Medium[] =>
  names.flatMap(name => {
    const [, width, height, unit = ''] = /_(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)$/.exec(name) ?? []
    const factor = millimetres[unit]
    return factor === undefined
      ? []
      : [{ name, width: Number(width) * factor, height: Number(height) * factor }]
  })

/** Whether a label of a size fills a medium. Names do not tell which side goes first, so either may. */
export function matchesSize(medium: Medium, { width, height }: { width: number; height: number }): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= toleranceMM
  return (
    (isNear(medium.width, width) && isNear(medium.height, height)) ||
    (isNear(medium.width, height) && isNear(medium.height, width))
  )
}
