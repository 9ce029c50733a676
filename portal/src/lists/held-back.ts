// New rows of a list that somebody reads do not push those below them: they are held back until the reader
// asks for them. Rows after all others push nothing, and what the reader's own act brings is shown at once.

/** What has been shown of a list. */
export interface Shown {
  /** which list, with its filters and order */
  key: string
  /** how often the reader's own acts have had it read again */
  ownReads: number
  pageCount: number
  ids: ReadonlySet<string>
}

/** What has just been read of it: the ids of its rows, by page. */
export interface ReadRows {
  key: string
  ownReads: number
  pages: readonly (readonly string[])[]
}

/** What is shown now, and the ids that are held back. */
export function holdBack(
  before: Shown | undefined,
  { key, ownReads, pages }: ReadRows,
): { shown: Shown; held: ReadonlySet<string> } {
  const isOther = before === undefined || before.key !== key || before.ownReads !== ownReads
  const known = isOther ? undefined : before
  const ids = pages.flatMap((page, i) => page.map(id => ({ id, isRead: i >= (known?.pageCount ?? 0) })))
  const isShown = ({ id, isRead }: (typeof ids)[number]) => known === undefined || isRead || known.ids.has(id)
  const last = ids.findLastIndex(isShown)
  const held = ids.slice(0, last + 1).filter(one => !isShown(one))
  const heldIds = new Set(held.map(({ id }) => id))
  const shown = {
    ...{ key, ownReads, pageCount: pages.length },
    ids: new Set(ids.flatMap(({ id }) => (heldIds.has(id) ? [] : id))),
  }
  return { shown, held: heldIds }
}
