// Limits how many long reads are fetching from the database at any moment, so that a processor stays free for
// other work. Only the fetching counts: a reader that processes what it fetched occupies no turn.

/** Runs a piece of work as soon as the limit allows. */
export type RunLimited = <T>(work: () => Promise<T>) => Promise<T>

/** A turn ends after this time although its work goes on, so that slow work holds nobody up. */
const defaultMaxTurnMs = 100

/** Makes a function that runs at most `count` pieces of work at a time, in the order of its calls. */
export function limitConcurrency(count: number, maxTurnMs = defaultMaxTurnMs): RunLimited {
  const waiting: (() => void)[] = []
  let free = count
  function passOn(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    let isOver = false
    const endTurn = () => {
      clearTimeout(timer)
      if (!isOver) passOn()
      isOver = true
    }
    const timer = setTimeout(endTurn, maxTurnMs)
    try {
      return await work()
    } finally {
      endTurn()
    }
  }
}
