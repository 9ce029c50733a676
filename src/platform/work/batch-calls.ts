// Batches calls that are cheaper to serve together: inputs that arrive while an earlier batch is running form
// the next batch. A call never waits just to let a batch fill up.

export interface BatchOptions<Input, Output> {
  /**
   * Serves all inputs of a batch and returns their outputs in the same order. When it throws, every call of
   * the batch fails with that error.
   */
  runBatch(inputs: Input[]): Promise<Output[]>
  /** Only inputs with the same key share a batch. All do by default. */
  key?(input: Input): unknown
  /** how many batches of one key may run at the same time */
  maxConcurrent: number
  /**
   * Whether only a full batch may start while another one of its key is running. Useful if concurrent batches
   * would block each other anyway: fewer, larger batches then cost less.
   */
  onlyFullConcurrently?: boolean
  /** the maximum number of inputs in a batch */
  maxCount: number
  /** the maximum total weight of a batch; an input that weighs more runs alone */
  maxWeight: number
  weight(input: Input): number
}

interface WaitingCall<Input, Output> {
  input: Input
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/** Makes a function that takes one input and serves it as part of a batch. */
export function batchCalls<Input, Output>(
  options: BatchOptions<Input, Output>,
): (input: Input) => Promise<Output> {
  const batchers = new Map<unknown, (input: Input) => Promise<Output>>()
  return input => {
    const key = options.key?.(input)
    let batcher = batchers.get(key)
    if (batcher === undefined) {
      batcher = openBatcher(options, () => batchers.delete(key))
      batchers.set(key, batcher)
    }
    return batcher(input)
  }
}

/** Batches the inputs of one key. `onIdle` is called when no batch is running any more. */
function openBatcher<Input, Output>(
  { runBatch, maxConcurrent, onlyFullConcurrently, maxCount, maxWeight, weight }: BatchOptions<Input, Output>,
  onIdle: () => void,
): (input: Input) => Promise<Output> {
  const waiting: WaitingCall<Input, Output>[] = []
  let waitingWeight = 0
  let runningCount = 0
  let isStarting = false

  /** Takes the first waiting calls, as many as fit into a batch. */
  function nextBatch(): WaitingCall<Input, Output>[] {
    let [count, batchWeight] = [0, 0]
    for (const { input } of waiting) {
      const inputWeight = weight(input)
      if (count === maxCount || (count > 0 && batchWeight + inputWeight > maxWeight)) break
      batchWeight += inputWeight
      count++
    }
    waitingWeight -= batchWeight
    return waiting.splice(0, count)
  }

  async function run(): Promise<void> {
    const batch = nextBatch()
    runningCount++
    try {
      const outputs = await runBatch(batch.map(({ input }) => input))
      for (const [i, { resolve }] of batch.entries()) resolve(outputs[i] as Output)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    runningCount--
    start()
    if (runningCount === 0) onIdle()
  }

  const isFull = () => waiting.length >= maxCount || waitingWeight >= maxWeight
  const mayStart = () => !onlyFullConcurrently || runningCount === 0 || isFull()

  function start(): void {
    while (runningCount < maxConcurrent && waiting.length > 0 && mayStart()) void run()
  }

  return input =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      waitingWeight += weight(input)
      // Calls made in the same turn of the event loop join the same batch.
      if (isStarting || runningCount >= maxConcurrent) return
      isStarting = true
      setImmediate(() => {
        isStarting = false
        start()
      })
    })
}
