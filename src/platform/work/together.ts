// Work that is cheaper done for many at once: what is asked for while earlier work is under way is done
// together afterwards. Nobody waits for company.

export interface Together<Input, Output> {
  /** Does the work for all inputs and returns in their order. When it throws, each of them fails with it. */
  work(inputs: Input[]): Promise<Output[]>
  /** only inputs with the same key are done together; without it all are */
  key?(input: Input): unknown
  /** how often it may be under way at the same time, for each key */
  lanes: number
  /**
   * Beside one that is under way only a full group begins. Where groups wait for each other anyway, fewer of
   * them are done that are larger, and cost less.
   */
  onlyFullBeside?: boolean
  /** inputs, and their weight, that are done together at most; one alone may weigh more */
  maxCount: number
  maxWeight: number
  weight(input: Input): number
}

/** Makes a function for one input whose calls are gathered. */
export function together<Input, Output>(spec: Together<Input, Output>): (input: Input) => Promise<Output> {
  const gatherers = new Map<unknown, (input: Input) => Promise<Output>>()
  return input => {
    const key = spec.key?.(input)
    let gather = gatherers.get(key)
    if (gather === undefined) {
      gather = openGatherer(spec, () => gatherers.delete(key))
      gatherers.set(key, gather)
    }
    return gather(input)
  }
}

/** Gathers the inputs of one key; `onIdle` is told when nothing of it is left. */
function openGatherer<Input, Output>(
  { work, lanes, onlyFullBeside, maxCount, maxWeight, weight }: Together<Input, Output>,
  onIdle: () => void,
): (input: Input) => Promise<Output> {
  const waiting: { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }[] = []
  let underWay = 0
  let isStarting = false

  /** The first of those that wait, as many as belong together. */
  function nextGroup() {
    let [count, heavy] = [0, 0]
    for (const { input } of waiting) {
      heavy += weight(input)
      if (count === maxCount || (count > 0 && heavy > maxWeight)) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function run(): Promise<void> {
    const group = nextGroup()
    underWay++
    try {
      const outputs = await work(group.map(({ input }) => input))
      for (const [i, { resolve }] of group.entries()) resolve(outputs[i] as Output)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    underWay--
    start()
    if (underWay === 0) onIdle()
  }

  const mayBegin = () => !onlyFullBeside || underWay === 0 || waiting.length >= maxCount

  function start(): void {
    while (underWay < lanes && waiting.length > 0 && mayBegin()) void run()
  }

  return input =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      // Those that arrive in the same turn of the event loop belong together too.
      if (isStarting || underWay >= lanes) return
      isStarting = true
      setImmediate(() => {
        isStarting = false
        start()
      })
    })
}
