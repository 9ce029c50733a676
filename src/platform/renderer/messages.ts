// The messages between the service, the renderer's process, and the thread in which that process works.

/** A task: a module of the service, and what its function `make` is called with. */
export interface RenderingTask {
  readonly id: number
  /** the address of the module */
  readonly module: string
  readonly given: unknown
  /** the resident size in mebibytes above which the process ends itself in the middle of it */
  readonly maxMb: number
}

/**
 * About a task: its module is loaded and it begins; it has been made; it failed, and the renderer goes on; or
 * it took too much memory, and the renderer ends.
 */
export type Progress =
  | { readonly id: number; readonly kind: 'began' }
  | { readonly id: number; readonly kind: 'made'; readonly made: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly error: string }
  | { readonly id: number; readonly kind: 'too large' }

/** From the process: it is ready for its first task, about a task, or how much memory it keeps after one. */
export type FromProcess =
  | Progress
  | { readonly kind: 'ready' }
  | { readonly kind: 'free'; readonly residentMb: number }

/** From the thread: about a task, or it is free for the next one. */
export type FromRenderingThread = Progress | { readonly kind: 'free' }
