// The column of a list that names its records, each a link to the record. It is on phones too.

import type { Column } from '../../../ui/DataTable.tsx'
import { Link } from '../router.tsx'

/** `hrefOf` is the address of a row's record, `nameOf` what the link says. */
export const recordColumn = <Row,>(
  id: string,
  head: string,
  hrefOf: (row: Row) => string,
  nameOf: (row: Row) => string,
  width?: number,
): Column<Row> => ({
  id,
  head,
  ...(width === undefined ? {} : { width }),
  isRowHeader: true,
  isOnPhone: true,
  cell: (row, tabIndex) => (
    <Link to={hrefOf(row)} tabIndex={tabIndex}>
      {nameOf(row)}
    </Link>
  ),
  text: nameOf,
})
