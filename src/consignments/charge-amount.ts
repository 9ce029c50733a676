// What a charge comes to, in exact decimals. Pure. Spec 2.8; open-points 1 (quantities and money), 7 (Amount, FAF).

export const ChargeApplication = { Rate: 1, Fee: 2 } as const
export type ChargeApplication = (typeof ChargeApplication)[keyof typeof ChargeApplication]

/** A decimal number with at most 6 places: as digits, or as a number of which the digits that it prints as count. */
export type Decimal = number | string

/** What an amount follows from. Unset are null or absent. */
export interface Rating {
  application: ChargeApplication
  metricValue: Decimal
  rate: Decimal
  base?: Decimal | null | undefined
  min?: Decimal | null | undefined
  max?: Decimal | null | undefined
  /** the freight adjustment of a carrier, as a fraction: 0.125 adds 12.5 percent */
  fafPercent?: Decimal | null | undefined
}

/** A row of an FAF profile. carrierId null: the default for all carriers. */
export interface FafRate {
  carrierId: string | null
  fafPercent: Decimal
  effectiveFromUtc: string
}

// Amounts are reckoned in whole numbers of 10^-18: a product of two values and of the adjustment, of 6 places each.
const places = 6
const one = 10n ** 6n
const perCent = 10n ** 16n

/** The digits as a whole number of millionths. */
function millionths(value: Decimal): bigint {
  const digits = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(String(value))
  if (digits === null) throw new RangeError(`${value} is no decimal with at most 6 places.`)
  const [, sign, whole, fraction = ''] = digits
  return BigInt(`${sign}${whole}${fraction.padEnd(places, '0')}`)
}

/** The quotient rounded to a whole number, halves away from zero. */
function rounded(value: bigint, divisor: bigint): bigint {
  const magnitude = value < 0n ? -value : value
  const quotient = (2n * magnitude + divisor) / (2n * divisor)
  return value < 0n ? -quotient : quotient
}

/**
 * The amount without tax, as digits with two places. A Rate is `base + metricValue × rate`, at least `min` and at most `max`; a Fee is `rate` itself. The
 * adjustment multiplies the result by `1 + fafPercent`. Rounded once, at the end, halves away from zero.
 */
export function chargeAmount({ application, metricValue, rate, base, min, max, fafPercent }: Rating): string {
  let amount = millionths(rate) * (application === ChargeApplication.Fee ? one : millionths(metricValue))
  if (application === ChargeApplication.Rate) {
    amount += millionths(base ?? 0) * one
    if (min !== null && min !== undefined && amount < millionths(min) * one) amount = millionths(min) * one
    if (max !== null && max !== undefined && amount > millionths(max) * one) amount = millionths(max) * one
  }
  const cents = rounded(amount * (one + millionths(fafPercent ?? 0)), perCent)
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The row of a profile that counts for a carrier at an instant: the latest that has begun, of the carrier itself where there is one, else the default. */
export function fafRateAt<Row extends FafRate>(rows: readonly Row[], carrierId: string, at: Date): Row | undefined {
  const latest = (of: string | null) =>
    rows
      .filter(row => row.carrierId === of && Date.parse(row.effectiveFromUtc) <= at.getTime())
      .reduce<Row | undefined>(
        (best, row) => (best && Date.parse(best.effectiveFromUtc) > Date.parse(row.effectiveFromUtc) ? best : row),
        undefined,
      )
  return latest(carrierId) ?? latest(null)
}
