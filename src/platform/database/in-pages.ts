// Reading much a page at a time, so that memory does not grow with how much it is.

/**
 * Pages until one is empty: `read` reads the page behind another, which is undefined for the first. The next
 * page is read while one is looked at.
 */
export async function* pagesOf<Item>(
  read: (before: readonly Item[] | undefined) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let page = await read(undefined)
  while (page.length > 0) {
    const reading = read(page)
    // Whoever stops looking at pages does not wait for this one.
    reading.catch(() => {})
    yield page
    page = await reading
  }
}

/** Pages of rows, none of them empty: `read` reads at most `size` rows behind the last one of a page. */
export const inPages = <Row>(
  size: number,
  read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> =>
  pagesOf<Row>(async before => (before !== undefined && before.length < size ? [] : read(before?.at(-1))))
