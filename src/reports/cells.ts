// The cells of a spreadsheet as XML. Pure. Data can neither break out of its cell nor become a formula.

import type { EnumerationValues } from '../platform/http/schema.ts'
import { dayMs } from '../platform/local-time.ts'
import { type CellKind, headingText } from './columns.ts'

/** The styles of cells: their indexes in `stylesXml`. */
export const styles = {
  plain: 0,
  heading: 1,
  text: 2,
  quoted: 3,
  date: 4,
  time: 5,
  money: 6,
  label: 7,
  whole: 8,
  decimal: 9,
} as const

/**
 * The style sheet: dates and times in ISO form, thousands separated, headings white on dark blue. Whole
 * numbers and decimals have styles of their own, because a format with optional decimals shows a point after
 * 12 too.
 */
export const stylesXml =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/>' +
  '<numFmt numFmtId="166" formatCode="#,##0.0#####"/></numFmts>' +
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FF1F3864"/></patternFill></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="10"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"/>' +
  '<xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" quotePrefix="1" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>' +
  '<xf numFmtId="4" applyNumberFormat="1"/><xf fontId="2" applyFont="1"/>' +
  '<xf numFmtId="3" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

// The limit of Excel, in UTF-16 code units.
const maxTextLength = 32_767
// Hardly any text matches, so that most texts skip the slow path.
const needsEscaping = /[&<>\p{Cc}\p{Cs}\ufffe\uffff]|^[-=+@\s]|\s$|_x[0-9a-f]{4}_/iu
// Characters that XML cannot hold. It can hold tabs and line ends.
const forbiddenInXml = /[[\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/gv
const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Escapes a text for XML. */
export const escapeXml = (text: string): string =>
  text.replace(forbiddenInXml, '\ufffd').replace(/[&<>"\r]/g, character => escapes[character] as string)

/** A cell with a text, which no spreadsheet takes for a formula. `reference` is the cell's, such as `B2`. */
export function textCell(reference: string, text: string, style: number = styles.text): string {
  if (text.length <= maxTextLength && !needsEscaping.test(text))
    return `<c r="${reference}" s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`
  const isQuoted = /^[-=+@]/.test(text)
  // The cut must not leave half a surrogate pair, and spreadsheets read _x0041_ as the letter A.
  const content = escapeXml(text.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '')).replace(
    /_(?=x[0-9a-f]{4}_)/gi,
    '_x005F_',
  )
  const usedStyle = isQuoted ? styles.quoted : style
  const textXml = `<t xml:space="preserve">${content}</t>`
  return `<c r="${reference}" s="${usedStyle}" t="inlineStr"><is>${textXml}</is></c>`
}

/** A cell with a number, whose text is as the database writes it without trailing zeros. */
export const numberCell = (reference: string, text: string): string =>
  `<c r="${reference}" s="${text.includes('.') ? styles.decimal : styles.whole}"><v>${text}</v></c>`

const dayZero = Date.UTC(1899, 11, 30)
// The calendar of spreadsheets has a 29 February 1900, which did not exist: earlier dates are off by one.
const firstDay = '1900-03-01'
const dayNumbers = new Map<string, number>()

/** The number of a day in spreadsheets, cached because few different days occur. */
function toDayNumber(text: string): number {
  let number = dayNumbers.get(text)
  if (number === undefined) {
    if (dayNumbers.size > 10_000) dayNumbers.clear()
    number = (Date.parse(`${text}T00:00:00Z`) - dayZero) / dayMs
    dayNumbers.set(text, number)
  }
  return number
}

/** The number of a time such as `2026-03-01T09:30:00Z` in spreadsheets, to the second. */
const toTimeNumber = (text: string): number =>
  toDayNumber(text.slice(0, 10)) +
  (Number(text.slice(11, 13)) * 3600 + Number(text.slice(14, 16)) * 60 + Number(text.slice(17, 19))) / 86_400

/** Returns a function that turns the texts of the database into the cells of a column. */
export function cellWriter(
  kind: CellKind,
  values?: EnumerationValues,
): (reference: string, text: string) => string {
  if (values !== undefined) {
    const names = new Map(Object.entries(values).map(([name, value]) => [String(value), headingText(name)]))
    return (reference, text) => textCell(reference, names.get(text) ?? text)
  }
  switch (kind) {
    case 'text':
      return textCell
    case 'number':
      return numberCell
    case 'money':
      return (reference, text) => `<c r="${reference}" s="${styles.money}"><v>${text}</v></c>`
    case 'flag':
      return (reference, text) => `<c r="${reference}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`
    case 'date':
      return (reference, text) =>
        text < firstDay
          ? textCell(reference, text)
          : `<c r="${reference}" s="${styles.date}"><v>${toDayNumber(text)}</v></c>`
    case 'time':
      return (reference, text) =>
        text < firstDay
          ? textCell(reference, text)
          : `<c r="${reference}" s="${styles.time}"><v>${toTimeNumber(text)}</v></c>`
  }
}

/** The letters of a column, by its index from 0. */
export const columnLetters = (column: number): string =>
  (column >= 26 ? columnLetters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))
