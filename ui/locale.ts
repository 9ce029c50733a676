// How the organisation writes dates and numbers. Set once, before the first screen is shown.

let tag = 'en-GB'
const listeners = new Set<() => void>()

/** The BCP 47 tag of the organisation. */
export const localeTag = (): string => tag

/** Makes this the tag that every date, number and amount is written by. */
export function setLocale(next: string): void {
  if (next === tag) return
  tag = Intl.DateTimeFormat.supportedLocalesOf(next)[0] ?? tag
  for (const forget of listeners) forget()
}

let weekBegins = 1

/** The day that a week begins with: 1 Monday to 7 Sunday. */
export const firstDayOfWeek = (): number => weekBegins

/** Makes this the day that weeks begin with. */
export function setFirstDayOfWeek(day: number): void {
  weekBegins = day
}

/** Makes a formatter once for each locale, because making one takes long. */
export function perLocale<F>(make: (tag: string) => F): () => F {
  let made: F | undefined
  listeners.add(() => {
    made = undefined
  })
  return () => {
    made ??= make(tag)
    return made
  }
}
