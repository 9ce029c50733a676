// The enumerations of money, as enumeration-names.ts has them.

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
} from '../billing/enumerations.ts'
import type { Enumeration } from '../platform/http/describe-schema.ts'
import { values } from './enumeration.ts'

/** Enumerations of charges, rate cards and schedules, by their names. */
export const billingEnumerations: Readonly<Record<string, Enumeration>> = {
  ChargeType: values(
    ChargeType,
    'What is charged, and how it is reckoned. Types below 7 are between the organisation and a client, the ' +
      'others between it and a carrier.',
  ),
  ChargeApplication: values(ChargeApplication, 'Whether an amount is multiplied.', {
    Rate: 'Rate times metric, and the base.',
    Fee: 'The amount itself, once.',
  }),
  ScheduleStatus: values(ScheduleStatus, 'How far a schedule is.', {
    Draft: 'May still change.',
    Approved: 'Final, to be exported.',
  }),
  ScheduleExportFormat: values(ScheduleExportFormat, 'For whom a schedule is exported.', {
    Json: 'Programs.',
    Csv: 'Spreadsheets.',
    Xero: 'Xero, which imports it as a sales invoice.',
    Myob: 'MYOB AccountRight, which imports it as a professional sale.',
  }),
  ScheduleTransactionStatus: values(ScheduleTransactionStatus, 'Where a transaction is.', {
    Pending: 'On no schedule yet.',
    Scheduled: 'On a schedule.',
    Void: 'Not billed. It is kept.',
  }),
  SettableTransactionStatus: values(
    SettableTransactionStatus,
    'What somebody may make of a transaction that belongs to no consignment.',
    { Pending: 'To be billed after all.', Void: 'Not to be billed.' },
  ),
  BillingRunStatus: values(BillingRunStatus, 'How far a billing run is.', {
    Pending: 'Nothing is done yet, or a worker gave it back.',
    Running: 'A worker is at it.',
    Done: 'The period is billed.',
    Failed: 'It could not go on; it is tried again every hour.',
  }),
  BillingRunStep: values(BillingRunStep, 'What a billing run does next.', {
    Close: 'Closing Complete consignments.',
    Storage: 'Raising the storage of the period.',
    Periodic: 'Raising periodic fees and what is missing to a minimum spend.',
    Schedule: 'Making schedules.',
    Approve: 'Approving them, where the rule says so.',
  }),
  ScheduleTransactionType: values(ScheduleTransactionType, 'What a transaction bills.'),
  RateCardStatus: values(RateCardStatus, 'Whether a rate card counts.'),
  RateCardVersionStatus: values(RateCardVersionStatus, 'How far a version of a rate card is.', {
    Draft: 'May still change; nothing is charged by it.',
    Approved: 'Counts from its date on, and never changes.',
  }),
  RateCardBecause: values(RateCardBecause, 'Why a rate card counts for a partner.', {
    Own: "It is the partner's.",
    FallBack: 'The partner has none that counts, and this is the one for all such partners.',
  }),
  RateKind: values(
    RateKind,
    "What a rate prices. CarrierFreight is of carriers' cards, the others of clients'.",
    {
      Activity: 'Work on a consignment.',
      ClientFreight: 'What the client pays for freight.',
      CarrierFreight: 'What the carrier asks for freight.',
      Storage: 'Stock, by the day.',
      Periodic: 'A fee once a billing period.',
    },
  ),
  RateBasis: values(RateBasis, 'Whether charges of a rate may select lines by their products.', {
    Metric: 'No: all lines together.',
    Product: 'Yes: the matching lines together.',
  }),
  RateMetric: values(RateMetric, 'What a charge multiplies.', {
    Consignment: 'Always 1.',
    VirtualPallet: "Pallets, by the products' unit chains.",
    UnitType: "Units of a type, by the products' unit chains.",
    TaskValue: 'The value of a task; hours are a task whose value is hours.',
    ConsumableValue: 'The value of a consumable.',
    ChargeableWeightKG: 'The greater of the weight and what the volume counts for.',
    Locations: 'Storage only: locations in use.',
  }),
  RateBreaks: values(RateBreaks, 'How a quantity and bands of rates go together.', {
    Selective: 'The whole quantity at the rate of the band that it falls in.',
    Progressive: "Each band's part at its own rate.",
  }),
  MetricRounding: values(MetricRounding, 'How a metric is rounded to a multiple of roundTo.'),
  StorageCount: values(StorageCount, 'Which stock of a day counts.', {
    Chronological: 'The greatest balance of the day.',
    PartThereof: 'What was there at its beginning, and what came in.',
    CumulativePartThereof: "What was there at the period's beginning, and what came in since.",
  }),
  StorageMethod: values(StorageMethod, 'How the days of a period become one quantity.', {
    StartOfPeriod: 'What was there at the beginning, and receipts as receiptsCharged says.',
    Anniversary: 'Each receipt by periods of its own, from its own day.',
  }),
  ReceiptsCharged: values(ReceiptsCharged, 'What of a period is charged for stock that comes in during it.', {
    HalfAfterMid: 'All of it in the first half of the period, half of it in the second.',
  }),
  ChargePartKind: values(ChargePartKind, 'What a consignment offers to be charged.'),
  UnratedReason: values(UnratedReason, 'Why work is charged by nothing.', {
    NoRateCard: 'No card counts for the client.',
    NoRate: 'The card has no rate for such work.',
    NothingMatches: 'No charge of any rate matches it.',
    NotMeasured: 'What matches has nothing to measure: no weight, volume or unit is known.',
    NoLocality: 'An end of the way is in no locality.',
    Remainder: 'It is what whole units leave.',
    NotPositive: 'It comes to a quantity of 0 or less.',
  }),
  UnbilledKind: values(UnbilledKind, 'What is not billed.', {
    StorageDay: 'Days on which goods lay in store.',
    ServiceType: 'A service type that no charge names.',
    NotClosed: 'A Complete consignment that waits to be Closed.',
    Excluded: 'A charge that somebody left out.',
    ZeroAmount: 'A charge of 0.00.',
    ByExpected: 'A consignment charged by what was expected, because nothing of it came or went here.',
  }),
  RateChargeOutcome: values(RateChargeOutcome, 'What became of a charge of a rate.', {
    Taken: 'It is charged.',
    Free: 'It took its parts, and costs nothing.',
    NoMatch: 'The consignment is none that it is for.',
    NothingTaken: 'It is for the consignment, and nothing that is left matched it.',
    NotReached: 'The charges before it left nothing.',
    LostResolution: 'Another freight rate came before.',
  }),
  BackTestStatus: values(BackTestStatus, 'How far a back-test is.', {
    Failed: 'It could not be made; failure says why.',
  }),
  AdjustmentSkipped: values(AdjustmentSkipped, 'Why a difference of a back-test is not billed.', {
    Reopened: 'The consignment was reopened since: it is billed anew when it is Closed.',
    Adjusted: 'It was adjusted since.',
    ChargedByHand: 'It was Closed before there were rate cards: what was entered is its bill.',
  }),
  BillingPeriod: values(BillingPeriod, 'How often something is billed.'),
}
