// The enumerations of billing, described as in enumeration-names.ts.

import type { Enumeration } from '../platform/http/describe-schema.ts'
import {
  AdjustmentSkipped,
  BackTestStatus,
  BillingPeriod,
  BillingRunStatus,
  BillingRunStep,
  ChargeApplication,
  ChargePartKind,
  ChargeType,
  MetricRounding,
  RateBasis,
  RateBreaks,
  RateCardBecause,
  RateCardStatus,
  RateCardVersionStatus,
  RateChargeOutcome,
  RateKind,
  RateMetric,
  ReceiptsCharged,
  ScheduleExportFormat,
  ScheduleStatus,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
  SettableTransactionStatus,
  StorageCount,
  StorageMethod,
  UnbilledKind,
  UnratedReason,
} from '../vocabulary/billing.ts'
import { enumeration } from './enumeration.ts'

/** The enumerations of charges, rate cards and schedules, by name. */
export const billingEnumerations: Readonly<Record<string, Enumeration>> = {
  ChargeType: enumeration(
    ChargeType,
    'What is charged, and how it is calculated. Types below 7 are between the organisation and a client, ' +
      'the others between the organisation and a carrier.',
  ),
  ChargeApplication: enumeration(ChargeApplication, 'Whether an amount is multiplied.', {
    Rate: 'Rate times metric, plus the base.',
    Fee: 'The amount itself, once.',
  }),
  ScheduleStatus: enumeration(ScheduleStatus, 'The status of a schedule.', {
    Draft: 'Can still change.',
    Approved: 'Final, ready to be exported.',
  }),
  ScheduleExportFormat: enumeration(ScheduleExportFormat, 'The format that a schedule is exported in.', {
    Json: 'For programs.',
    Csv: 'For spreadsheets.',
    Xero: 'For Xero, which imports it as a sales invoice.',
    Myob: 'For MYOB AccountRight, which imports it as a professional sale.',
  }),
  ScheduleTransactionStatus: enumeration(ScheduleTransactionStatus, 'The status of a transaction.', {
    Pending: 'Not on a schedule yet.',
    Scheduled: 'On a schedule.',
    Void: 'Not billed, but kept.',
  }),
  SettableTransactionStatus: enumeration(
    SettableTransactionStatus,
    'The statuses that a transaction without a consignment can be set to.',
    { Pending: 'To be billed after all.', Void: 'Not to be billed.' },
  ),
  BillingRunStatus: enumeration(BillingRunStatus, 'The status of a billing run.', {
    Pending: 'Not started, or returned by a worker.',
    Running: 'A worker is processing it.',
    Done: 'The period is billed.',
    Failed: 'It could not continue; it is retried every hour.',
    Unbundled: 'Its schedule was removed; when it is retried, it makes the schedule again.',
  }),
  BillingRunStep: enumeration(BillingRunStep, 'The next step of a billing run.', {
    Close: 'Closing Complete consignments.',
    Storage: 'Raising the storage charges of the period.',
    Periodic: 'Raising periodic fees and top-ups to a minimum spend.',
    Schedule: 'Creating schedules.',
    Approve: 'Approving schedules, if the billing rule says so.',
  }),
  ScheduleTransactionType: enumeration(ScheduleTransactionType, 'What a transaction bills.'),
  RateCardStatus: enumeration(RateCardStatus, 'Whether a rate card applies.'),
  RateCardVersionStatus: enumeration(RateCardVersionStatus, 'The status of a version of a rate card.', {
    Draft: 'Can still change; nothing is charged by it.',
    Approved: 'Applies from its start date, and never changes.',
  }),
  RateCardBecause: enumeration(RateCardBecause, 'Why a rate card applies to a partner.', {
    Own: "It is the partner's own card.",
    FallBack: 'The partner has no card that applies, and this is the card for all such partners.',
  }),
  RateKind: enumeration(
    RateKind,
    "What a rate prices. CarrierFreight is used on carriers' cards, the others on clients' cards.",
    {
      Activity: 'Work on a consignment.',
      ClientFreight: 'What the client pays for freight.',
      CarrierFreight: 'What the carrier charges for freight.',
      Storage: 'Storage of stock, per day.',
      Periodic: 'A fee per billing period.',
    },
  ),
  RateBasis: enumeration(RateBasis, 'Whether the charges of a rate can select lines by product.', {
    Metric: 'No: each charge applies to all lines together.',
    Product: 'Yes: each charge applies to its matching lines together.',
  }),
  RateMetric: enumeration(RateMetric, 'What a charge is multiplied by.', {
    Consignment: 'Always 1.',
    VirtualPallet: "Pallets, calculated from the products' unit conversions.",
    UnitType: "Units of a unit type, calculated from the products' unit conversions.",
    TaskValue: 'The value of a task; for hours, use a task whose value is hours.',
    ConsumableValue: 'The value of a consumable.',
    ChargeableWeightKG: 'The greater of the weight and the volumetric weight.',
    Locations: 'Storage only: locations in use.',
  }),
  RateBreaks: enumeration(RateBreaks, 'How a quantity is priced by bands of rates.', {
    Selective: 'The whole quantity at the rate of the band that it falls into.',
    Progressive: 'The part of the quantity in each band at the rate of that band.',
  }),
  MetricRounding: enumeration(MetricRounding, 'How a metric is rounded to a multiple of roundTo.'),
  StorageCount: enumeration(StorageCount, 'Which stock of a day is charged.', {
    Chronological: 'The highest balance of the day.',
    PartThereof: 'The stock at the start of the day, plus receipts of the day.',
    CumulativePartThereof: 'The stock at the start of the period, plus receipts since then.',
  }),
  StorageMethod: enumeration(StorageMethod, 'How the days of a period become one quantity.', {
    StartOfPeriod: 'The stock at the start, plus receipts as receiptsCharged says.',
    Anniversary: 'Each receipt has its own periods, which start on the day of the receipt.',
  }),
  ReceiptsCharged: enumeration(
    ReceiptsCharged,
    'How much of a period is charged for stock that is received during it.',
    {
      HalfAfterMid: 'The whole period if received in its first half, otherwise half of it.',
    },
  ),
  ChargePartKind: enumeration(ChargePartKind, 'A part of a consignment that can be charged.'),
  UnratedReason: enumeration(UnratedReason, 'Why work is not charged.', {
    NoRateCard: 'No rate card applies to the client.',
    NoRate: 'The card has no rate for this work.',
    NothingMatches: 'No charge of any rate matches it.',
    NotMeasured: 'A charge matches, but the weight, volume or unit to measure is unknown.',
    NoLocality: 'The origin or destination is in no locality.',
    Remainder: 'It is the remainder after whole units.',
    NotPositive: 'Its quantity is 0 or less.',
  }),
  UnbilledKind: enumeration(UnbilledKind, 'What is not billed.', {
    StorageDay: 'Days on which goods were stored.',
    ServiceType: 'A service type that no charge refers to.',
    NotClosed: 'A Complete consignment that is waiting to be Closed.',
    Excluded: 'A charge that a user excluded.',
    ZeroAmount: 'A charge of 0.00.',
    ByExpected:
      'A consignment charged by expected quantities, because nothing was received or dispatched here.',
  }),
  RateChargeOutcome: enumeration(RateChargeOutcome, 'The outcome of a charge of a rate.', {
    Taken: 'It is charged.',
    Free: 'It applies to its parts, but costs nothing.',
    NoMatch: 'It does not apply to the consignment.',
    NothingTaken: 'It applies to the consignment, but none of the remaining parts matched it.',
    NotReached: 'The charges before it left no parts.',
    LostResolution: 'Another freight rate took precedence.',
  }),
  BackTestStatus: enumeration(BackTestStatus, 'The status of a back-test.', {
    Failed: 'It could not be run; `failure` says why.',
  }),
  AdjustmentSkipped: enumeration(AdjustmentSkipped, 'Why a difference of a back-test is not billed.', {
    Reopened: 'The consignment was reopened in the meantime; it is billed again when it is Closed.',
    Adjusted: 'It was adjusted in the meantime.',
  }),
  BillingPeriod: enumeration(BillingPeriod, 'How often something is billed.'),
}
