// Asks the service what an act would do, for the dialog *This will*. The service carries the act out and
// takes it back, so what it says is what will happen.

import { WaybillError } from '../../client/src/waybill.ts'
import type { Rehearsal } from '../../ui/ThisWill.tsx'
import { type Act, type PathWith, send } from './api.ts'
import { words } from './words.ts'

/** What the service says that an act would do, and would answer. */
export interface Told extends Rehearsal {
  result: unknown
}

/**
 * What the act would do; null if the service cannot say it of this act. Throws a WaybillError if the act
 * would be refused.
 */
export async function rehearse<M extends 'post' | 'put' | 'delete', Path extends PathWith<M>>(
  method: M,
  path: Path,
  act: Act<Path, M>,
): Promise<Told | null> {
  try {
    const { data }: { data: unknown } = await send(method, path, { ...act, isRehearsal: true })
    return data as Told
  } catch (error) {
    if (error instanceof WaybillError && error.details.some(({ code }) => code === 'not_rehearsed'))
      return null
    throw error
  }
}

/** The reasons of a refusal, each as a sentence. */
export const reasonsOf = (error: unknown): readonly string[] =>
  error instanceof WaybillError && error.errorMessages.length > 0 ? error.errorMessages : [words.noAnswer]
