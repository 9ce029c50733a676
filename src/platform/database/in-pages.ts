// Reads a large result a page at a time, so that memory does not grow with its size.

/**
 * Yields pages until one is empty. `read` reads the page after the given one, which is undefined for the
 * first. The next page is read while the consumer works on the current one.
 */
export async function* readInPages<Item>(
  read: (previous: readonly Item[] | undefined) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let page = await read(undefined)
  while (page.length > 0) {
    const nextPage = read(page)
    // A consumer that stops early never awaits this page, so its failure must not be unhandled.
    nextPage.catch(() => {})
    yield page
    page = await nextPage
  }
}

/** Yields pages of rows, none of them empty. `read` reads at most `size` rows after the given last row. */
export const inPages = <Row>(
  size: number,
  read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> =>
  readInPages<Row>(async previous =>
    previous !== undefined && previous.length < size ? [] : read(previous?.at(-1)),
  )
