// Turns: of those who read at length only some are served at any moment, so that there is a processor left
// for everybody else. Whoever takes what was read has no turn, however long that takes.

/** Does a piece of work in its turn. */
export type RunLimited = <T>(work: () => Promise<T>) => Promise<T>

/** A turn ends after so long, in milliseconds, though the work goes on: what is slow keeps nobody waiting. */
const usualMs = 100

/** Opens turns, of which there are so many at a time, given in the order in which they are asked for. */
export function limitConcurrency(count: number, longestMs = usualMs): RunLimited {
  const waiting: (() => void)[] = []
  let free = count
  function pass(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    let isOver = false
    const end = () => {
      clearTimeout(timer)
      if (!isOver) pass()
      isOver = true
    }
    const timer = setTimeout(end, longestMs)
    try {
      return await work()
    } finally {
      end()
    }
  }
}
