// Times on a screen, with the zone that they are in as the title.

import { day, instant, readersZone, wallClock } from './time.ts'
import { words } from './words.ts'

/** The wall clock of a warehouse, exactly as the API gives it. `zone` is that of the warehouse, if known. */
export const LocalTime = ({
  value,
  zone,
}: {
  value: string | null | undefined
  zone?: string | undefined
}) =>
  value == null ? (
    words.nothing
  ) : (
    <time dateTime={value.replace(/Z$/, '')} title={zone ?? words.warehouseTime}>
      {wallClock(value)}
    </time>
  )

/** A day without a time. */
export const LocalDay = ({ value }: { value: string | null | undefined }) =>
  value == null ? words.nothing : <time dateTime={value.slice(0, 10)}>{day(value)}</time>

/** An instant, in the reader's own zone. */
export const UtcTime = ({ value }: { value: string | null | undefined }) =>
  value == null ? (
    words.nothing
  ) : (
    <time dateTime={value} title={readersZone()}>
      {instant(value)}
    </time>
  )
