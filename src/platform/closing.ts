// Closes several things, all of them even if one cannot be closed.

/** Functions that close things, in the order in which those were opened. */
export type Closers = (() => unknown)[]

/**
 * Calls the functions one after the other, the last first, and removes them. Throws what the first of them
 * that failed has thrown, once all have been called.
 */
export async function closeEverything(closing: Closers): Promise<void> {
  const errors: unknown[] = []
  for (const close of closing.splice(0).reverse()) {
    try {
      await close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
