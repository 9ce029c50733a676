// The endpoint that receives goods for an inwards consignment. Spec 2.3 (rules for items), 2.14.

import { stockCommand } from '../stock/commands/stock-command.ts'
import { ReceiveAnswer, receiveFields, receiveKind } from './receiving/receive-kind.ts'

export const receiveConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/receive',
    name: 'receiveConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Receive goods of an inwards consignment',
    description:
      'Receives goods in full or in part, more or less than was expected, and goods that were not ' +
      'announced. Fields that a receipt leaves out are as announced for the line; null means none. With ' +
      'another batch than was announced, dates that are left out are null. Without a location, goods go to ' +
      'where their logistic unit stands, even if it is empty, or else to the receiving location of the ' +
      'consignment or the warehouse. Damaged goods can go straight to a hold, and returned goods do so ' +
      'unless hold is null. Serials that are not known yet can be recorded later, before the consignment ' +
      'becomes Complete. receivedDateTime (by default occurredUtc, or else now) sets the day on which the ' +
      'stock was received; it must not be in the future.',
    bodyName: 'ConsignmentReceive',
    body: receiveFields,
    files: true,
    answer: ReceiveAnswer,
    kind: receiveKind,
  }),
]
