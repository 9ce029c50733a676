// Parses and formats the wall-clock times of warehouses. Pure: the current instant is a parameter. Spec 1,
// convention 4.

/** A local wall-clock time for a column of type `timestamp`: `YYYY-MM-DDTHH:MM:SS`, no zone. */
export type LocalDateTime = string

const datePattern = String.raw`(\d{4})-(\d\d)-(\d\d)`
const timePattern = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?`
const offsetPattern = String.raw`(Z|([+-])([01]\d|2[0-3]):([0-5]\d))`
const dateTimeForm = new RegExp(`^${datePattern}(?:T${timePattern}${offsetPattern}?)?$`)
const wallClockForm = /^\d{4}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ?)?$/
const areaPattern = '(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)'
const zoneName = new RegExp(`^${areaPattern}/[A-Z][A-Za-z_-]+(?:/[A-Z][A-Za-z_-]+)?$`)
/** The milliseconds of a day. */
export const dayMs = 86_400_000
// A day inside the years of four digits, because every time zone is less than a day from UTC.
const firstInstant = Date.parse('0001-01-01T00:00:00Z') + dayMs
const lastInstant = Date.parse('9999-12-31T23:59:59Z') - dayMs

/**
 * The digits of a date and time as written, and the offset from UTC in minutes; null without an offset and
 * for Z.
 */
interface ParsedTime {
  wallClock: LocalDateTime
  offsetMinutes: number | null
}

/**
 * Parses a date and time from a request as wall-clock time in a zone. With a trailing Z, without a zone or
 * without a time, the digits are the wall-clock time (even if a clock change skips or repeats them). With an
 * offset it is an instant, which is converted to `timeZone`. Fractions of a second are dropped. Returns null
 * if it is not ISO 8601, not in the calendar (30 February, 24:00, leap seconds), outside the years 0001 to
 * 9999, or an instant that some time zone would put outside them.
 */
export function parseLocalTime(text: string, timeZone: string): LocalDateTime | null {
  const parsed = parse(text)
  if (parsed === null || parsed.offsetMinutes === null) return parsed?.wallClock ?? null
  return localTimeAt(new Date(Date.parse(`${parsed.wallClock}Z`) - parsed.offsetMinutes * 60_000), timeZone)
}

/** The day of a date and time from a request in a zone. Null where `parseLocalTime` returns null. */
export const parseLocalDay = (text: string, timeZone: string): string | null =>
  parseLocalTime(text, timeZone)?.slice(0, 10) ?? null

/**
 * Parses a date and time that `isDateTime` accepts as an instant, to the millisecond, for a column of type
 * `timestamptz`. Without a zone it is UTC.
 */
export function parseInstant(text: string): string {
  // JavaScript parses a date alone as UTC, but a date and time in the time zone of the process.
  const lacksZone = /T[^Z+-]*$/.test(text)
  return new Date(lacksZone ? `${text}Z` : text).toISOString()
}

/** Whether `parseLocalTime` can parse a text, for any zone: the check for schemas. */
export function isDateTime(text: string): boolean {
  // The fast path: for nearly all inputs only the day is left to check.
  if (!wallClockForm.test(text)) return parse(text) !== null
  return isDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)))
}

/** The wall-clock time of an instant in a zone (see `isTimeZone`), to the second. */
export function localTimeAt(at: Date, timeZone: string): LocalDateTime {
  const [month, day, year = '', time] = formatOf(timeZone)
    .format(at) // MM/DD/YYYY, HH:MM:SS
    .split(/\/|, /)
  return `${year.padStart(4, '0')}-${month}-${day}T${time}`
}

/**
 * Whether a warehouse may have this time zone: `UTC` or an IANA name of the form area/location, spelled as
 * IANA does. Both Intl and PostgreSQL know these; abbreviations (EST), offsets (+05:00) and the old country
 * forms (US/Pacific) are refused.
 */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true
  if (!zoneName.test(name)) return false
  try {
    const canonical = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    // Intl accepts any case and may return an older name of the zone: only a difference in case alone is a
    // misspelling.
    return canonical === name || canonical.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}

function parse(text: string): ParsedTime | null {
  const match = dateTimeForm.exec(text)
  if (match === null) return null
  const [
    ,
    year,
    month,
    day,
    hour = '00',
    minute = '00',
    second = '00',
    zone,
    sign,
    offsetHours,
    offsetMinutes,
  ] = match
  if (!isDay(Number(year), Number(month), Number(day))) return null
  const wallClock = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  if (zone === undefined || zone === 'Z') return { wallClock, offsetMinutes: null }
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1)
  const instant = Date.parse(`${wallClock}Z`) - offset * 60_000
  const isInRange = instant >= firstInstant && instant <= lastInstant
  return isInRange ? { wallClock, offsetMinutes: offset } : null
}

function isDay(year: number, month: number, day: number): boolean {
  // PostgreSQL has no year 0. JavaScript maps years below 100 to the last century, so 400 is added: the
  // calendar repeats every 400 years. Day 0 of the next month is the last day of this one.
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  return day <= 28 || day <= new Date(Date.UTC(year + 400, month, 0)).getUTCDate()
}

// Creating a formatter costs about 50 microseconds and 10 KB, using one about a microsecond. There are a few
// hundred zones, so all are kept.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    const two = '2-digit'
    const fields = {
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
      hourCycle: 'h23',
    } as const
    format = new Intl.DateTimeFormat('en-US', { ...fields, timeZone })
    formats.set(timeZone, format)
  }
  return format
}
