// Splits a period into months. Pure.

/** The part of a month that is in the period: local dates, both included. */
export interface Month {
  dateFrom: string
  dateTo: string
}

/** Lists the months from one date to another, both included. */
export function monthsOf(dateFrom: string, dateTo: string): Month[] {
  const months: Month[] = []
  for (let begin = dateFrom; begin <= dateTo; ) {
    const [year, month] = begin.split('-').map(Number) as [number, number]
    const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
    months.push({ dateFrom: begin, dateTo: last < dateTo ? last : dateTo })
    begin = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  }
  return months
}
