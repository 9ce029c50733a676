// Parses emergency action codes (EAC) such as •2[Y]E, and UN numbers. Pure. Spec 2.14, 2.16.

import { HazchemFireCode, HazchemSafetyCode } from '../../vocabulary/stock.ts'

/** The parts of an emergency action code; all null if there is none or it is invalid. */
export interface Hazchem {
  dgHazchemFireCode: HazchemFireCode | null
  dgHazchemSafetyCode: HazchemSafetyCode | null
  /** whether people have to be evacuated */
  dgHazchemEvacuate: boolean | null
}

const fireCodes: Record<string, HazchemFireCode> = {
  '1': HazchemFireCode.I,
  '2': HazchemFireCode.II,
  '3': HazchemFireCode.III,
  '4': HazchemFireCode.IV,
  '•2': HazchemFireCode.II_ARF,
  '•3': HazchemFireCode.III_ARF,
}

const safetyCodes: Record<string, HazchemSafetyCode> = {
  P: HazchemSafetyCode.P,
  R: HazchemSafetyCode.R,
  S: HazchemSafetyCode.S,
  '[S]': HazchemSafetyCode.S_Black,
  T: HazchemSafetyCode.T,
  '[T]': HazchemSafetyCode.T_Black,
  W: HazchemSafetyCode.W,
  X: HazchemSafetyCode.X,
  Y: HazchemSafetyCode.Y,
  '[Y]': HazchemSafetyCode.Y_Black,
  Z: HazchemSafetyCode.Z,
  '[Z]': HazchemSafetyCode.Z_Black,
}

const codePattern = /^([•*·●]?[1-4])(\[[STYZ]\]|[PRSTWXYZ])(E?)$/

/** Parses an emergency action code, ignoring white space and case. */
export function parseHazchem(code: string | null): Hazchem {
  const [, fire = '', safety = '', evacuate] =
    codePattern.exec((code ?? '').replace(/\s/g, '').toUpperCase()) ?? []
  const fireCode = fireCodes[fire.replace(/^[*·●]/, '•')]
  const safetyCode = safetyCodes[safety]
  return fireCode === undefined || safetyCode === undefined
    ? { dgHazchemFireCode: null, dgHazchemSafetyCode: null, dgHazchemEvacuate: null }
    : { dgHazchemFireCode: fireCode, dgHazchemSafetyCode: safetyCode, dgHazchemEvacuate: evacuate === 'E' }
}

/** Returns the digits of a UN number such as `UN 2037`; null if there are none or more than nine. */
export function unNumberOf(text: string | null): number | null {
  const digits = (text ?? '').replace(/\D/g, '')
  return digits === '' || digits.length > 9 ? null : Number(digits)
}
