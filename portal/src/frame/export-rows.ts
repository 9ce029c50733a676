// Saves what a list shows as a CSV file.

import type { Column } from '../../../ui/DataTable.tsx'

/** Saves the loaded rows with the shown columns. */
export function exportRows<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const lines = [
    columns.map(({ head }) => head),
    ...rows.map(row => columns.map(column => column.text?.(row) ?? textOf(column.cell(row, -1)))),
  ]
  const csv = lines.map(cells => cells.map(quoted).join(',')).join('\r\n')
  save(new Blob(['\uFEFF', csv, '\r\n'], { type: 'text/csv' }), `${name}.csv`)
}

const textOf = (shown: unknown) =>
  typeof shown === 'string' || typeof shown === 'number' ? String(shown) : ''

/** A cell. One that a spreadsheet would take for a formula gets an apostrophe. */
const quoted = (text: string) => `"${text.replace(/^[-=+@\t\r](?![\d.]+$)/, "'$&").replaceAll('"', '""')}"`

/** Saves a file under a name. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
