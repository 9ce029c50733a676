// The cells of a spreadsheet as XML. Pure. What comes from data can neither end its cell nor become a
// formula.

import type { EnumerationValues } from '../platform/http/schema.ts'
import { type CellKind, inWords } from './columns.ts'

/** The styles of cells, by their places in `stylesXml`. */
export const styles = {
  plain: 0,
  heading: 1,
  text: 2,
  quoted: 3,
  date: 4,
  time: 5,
  money: 6,
  label: 7,
} as const

/** The styles: dates and times in ISO form, texts as texts, headings white on dark blue. */
export const stylesXml =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>' +
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FF1F3864"/></patternFill></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="8"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"/>' +
  '<xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" quotePrefix="1" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>' +
  '<xf numFmtId="4" applyNumberFormat="1"/><xf fontId="2" applyFont="1"/></cellXfs></styleSheet>'

const maxText = 32_767
// Nearly no text has any of these.
const odd = /[&<>\p{Cc}\p{Cs}\ufffe\uffff]|^[-=+@\s]|\s$|_x[0-9a-f]{4}_/iu
// What XML cannot hold; tabs and line ends it can.
const forbidden = /[[\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/gv
const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** A text in XML. */
export const escaped = (text: string): string =>
  text.replace(forbidden, '\ufffd').replace(/[&<>"\r]/g, sign => escapes[sign] as string)

/** A cell with a text, which no program takes for a formula. */
export function textCell(place: string, text: string, style: number = styles.text): string {
  if (text.length <= maxText && !odd.test(text))
    return `<c r="${place}" s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`
  const isQuoted = /^[-=+@]/.test(text)
  // Cut before half of a pair; spreadsheets read _x0041_ as a letter.
  const held = escaped(text.slice(0, maxText).replace(/[\ud800-\udbff]$/, '')).replace(
    /_(?=x[0-9a-f]{4}_)/gi,
    '_x005F_',
  )
  const used = isQuoted ? styles.quoted : style
  return `<c r="${place}" s="${used}" t="inlineStr"><is><t xml:space="preserve">${held}</t></is></c>`
}

const dayMs = 86_400_000
const dayZero = Date.UTC(1899, 11, 30)
// Before it the calendar of spreadsheets has a day that never was.
const firstDay = '1900-03-01'
const days = new Map<string, number>()

/** The number of a day in spreadsheets. There are few different ones, which are looked up. */
function dayNumber(text: string): number {
  let number = days.get(text)
  if (number === undefined) {
    if (days.size > 10_000) days.clear()
    number = (Date.parse(`${text}T00:00:00Z`) - dayZero) / dayMs
    days.set(text, number)
  }
  return number
}

/** `2026-03-01T09:30:00Z` as a number, to the second. */
const timeNumber = (text: string): number =>
  dayNumber(text.slice(0, 10)) +
  (Number(text.slice(11, 13)) * 3600 + Number(text.slice(14, 16)) * 60 + Number(text.slice(17, 19))) / 86_400

/** Makes the cells of a column from the texts that the database wrote. */
export function cellMaker(
  kind: CellKind,
  values?: EnumerationValues,
): (place: string, text: string) => string {
  if (values !== undefined) {
    const names = new Map(Object.entries(values).map(([name, value]) => [String(value), inWords(name)]))
    return (place, text) => textCell(place, names.get(text) ?? text)
  }
  switch (kind) {
    case 'text':
      return textCell
    case 'number':
      return (place, text) => `<c r="${place}"><v>${text}</v></c>`
    case 'money':
      return (place, text) => `<c r="${place}" s="${styles.money}"><v>${text}</v></c>`
    case 'flag':
      return (place, text) => `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`
    case 'date':
      return (place, text) =>
        text < firstDay
          ? textCell(place, text)
          : `<c r="${place}" s="${styles.date}"><v>${dayNumber(text)}</v></c>`
    case 'time':
      return (place, text) =>
        text < firstDay
          ? textCell(place, text)
          : `<c r="${place}" s="${styles.time}"><v>${timeNumber(text)}</v></c>`
  }
}

/** The letters of a column, from 0. */
export const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))
