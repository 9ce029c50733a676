// Chains of deeds in which one thing after another goes otherwise than ordered. Random deeds rarely meet; the
// deeds of a chain are about the same consignments, and others happen in between.

/** The kinds of deed that are tried at one step of a chain, the first that can be done is done. */
type Step = readonly string[]

export interface Theme {
  name: string
  steps: readonly Step[]
}

const order: Step = ['order what lies here', 'order']
const pick: Step = ['pick', 'pick other goods']
const other: Step = ['pick other goods', 'pick']
const leave: Step = ['send off']
const come: Step = ['receive', 'receive all']

const all: Step = ['receive all', 'receive']

export const themes: readonly Theme[] = [
  {
    name: 'other goods are sent than were ordered, and come back',
    steps: [
      order,
      other,
      pick,
      other,
      leave,
      leave,
      ['announce a return'],
      come,
      ['announce a return'],
      come,
    ],
  },
  {
    name: 'all that was sent comes back',
    steps: [order, other, pick, leave, ['announce a return of all'], ['receive all'], ['receive'], ['undo']],
  },
  {
    name: 'goods leave, do not leave after all, and leave otherwise',
    steps: [order, pick, leave, ['undo'], ['put back'], other, leave, ['announce a return'], come, ['undo']],
  },
  {
    name: 'parcels are followed, and what was told late happened before',
    steps: [
      ...[order, pick, leave, ['send a parcel'], ['follow a parcel'], ['follow a parcel']],
      ...[['prove a delivery'], ['follow a parcel'], ['send a parcel'], ['follow a parcel']],
      ...[['follow a parcel'], ['undo'], ['prove a delivery'], leave, ['bill'], ['follow a parcel']],
    ],
  },
  {
    name: 'a dispatch is undone while its return is open',
    steps: [
      order,
      pick,
      leave,
      ['announce a return'],
      ['undo'],
      come,
      ['undo'],
      ['finish a receipt'],
      ['undo'],
    ],
  },
  {
    name: 'goods are picked from many places and put back',
    steps: [
      order,
      pick,
      other,
      other,
      pick,
      ['stage'],
      ['put back'],
      ['put back'],
      ['put back'],
      ['put back'],
    ],
  },
  {
    name: 'goods are put back at the last moment',
    steps: [order, pick, pick, ['make ready'], ['put back and keep'], ['put back'], ['send off'], ['undo']],
  },
  {
    name: 'goods that were taken for nothing are short',
    steps: [order, ['pick nothing'], ['make ready', 'dispatch'], ['send off'], ['announce a return']],
  },
  {
    name: 'goods of two lines come into one heap and are taken back',
    steps: [
      ...[
        ['announce alike goods'],
        ['receive alike goods'],
        ['receive alike goods'],
        ['unreceive'],
        ['receive'],
        ['unreceive'],
      ],
      ...[['unreceive'], ['finish a receipt']],
    ],
  },
  {
    name: 'serials become known after goods were moved',
    steps: [
      ...[
        ['announce unread serials'],
        ['receive unread serials'],
        ['move goods'],
        ['describe anew'],
        ['record serials'],
      ],
      ...[['receive unread serials'], ['record serials'], ['record serials'], ['finish a receipt']],
    ],
  },
  {
    name: 'goods are picked for nobody after all',
    steps: [
      order,
      pick,
      ['pick'],
      ['make ready', 'void'],
      ['void'],
      order,
      leave,
      ['undo'],
      ['put back'],
      ['void'],
    ],
  },
  {
    name: 'what is held, counted and lost is not there for others',
    steps: [
      ['hold'],
      ['count'],
      ['lose goods'],
      ['count'],
      ['release a hold'],
      order,
      ['count'],
      ['change a place'],
    ],
  },
  {
    name: 'goods are counted while work goes on',
    steps: [
      ...[['begin a count'], ['see what is there'], ['count lines'], ['move goods'], order, pick],
      ...[['tell what was seen'], ['hold', 'describe anew'], ['count lines'], leave, ['have counted again']],
      ...[['count lines'], ['approve a count'], ['end counting'], ['approve a count'], ['count']],
    ],
  },
  {
    name: 'pickfaces are filled, and not as planned',
    steps: [
      ...[['set up a pickface'], ['plan to fill', 'have brought'], ['bring'], order, ['bring'], pick],
      ...[['plan to fill', 'have brought'], ['hold', 'describe anew'], ['bring'], ['put back'], ['count']],
      ...[['bring'], ['set up a pickface'], ['bring nothing more']],
    ],
  },
  {
    name: 'papers are printed, of what changes',
    steps: [
      ...[['print'], ['print'], ['rename a product'], ['have printed'], ['print'], ['have printed']],
      ...[['print again or never'], ['rename a place'], ['print'], ['print again or never']],
      ...[['have printed'], ['print again or never']],
    ],
  },
  {
    name: 'notes are written and places go from zone to zone',
    steps: [
      ...[['divide the warehouse'], ['put a place into a zone'], ['write a note'], ['write a note']],
      ...[['put a place into a zone'], ['divide the warehouse'], ['change a note'], ['rename a person']],
      ...[['write a note'], ['put a place into a zone'], ['put a place into a zone'], ['change a note']],
      ...[['divide the warehouse'], ['change a note']],
    ],
  },
  {
    name: 'what was billed changes',
    steps: [
      ...[
        order,
        pick,
        other,
        leave,
        ['bill'],
        ['agree on prices'],
        ['reopen a bill'],
        ['undo'],
        ['put back'],
      ],
      ...[leave, ['agree on prices'], ['bill'], ['announce a return'], come],
    ],
  },
  {
    name: 'what came is billed, and is not what was announced',
    steps: [
      ...[['announce'], come, ['agree on prices'], ['finish a receipt'], ['bill'], ['rename a product']],
      ...[['reopen a bill'], ['reopen a receipt'], ['unreceive'], come, ['finish a receipt'], ['bill']],
    ],
  },
  {
    name: 'orders are picked and leave together, and not as ordered',
    steps: [
      ...[order, order, order, ['pick together'], other, ['pick together'], ['put back'], ['count']],
      ...[['pick together'], ['move many'], ['undo'], ['move many'], ['announce a return'], come],
    ],
  },
  {
    name: 'what was billed is sent, and some of it is given back',
    steps: [
      ...[['announce'], ['receive all', 'receive'], ['charge by hand'], ['leave out a charge']],
      ...[['finish a receipt'], ['bill'], ['credit'], ['schedule'], ['approve'], ['reopen a bill']],
      ...[['credit'], ['approve'], ['schedule'], ['charge by hand']],
    ],
  },
  {
    name: 'days are billed by runs, and more becomes known of them',
    steps: [
      ...[['agree on storage'], ['announce'], ['receive late'], ['finish a receipt'], ['bill by a run']],
      ...[
        ['find goods'],
        ['agree on prices'],
        ['waive'],
        ['announce'],
        ['receive late'],
        ['finish a receipt'],
      ],
      ...[['bill by a run'], ['remove a schedule'], ['waive'], ['bundle again'], come, ['bill by a run']],
    ],
  },
  {
    name: 'carriers are paid by other prices than clients are charged by',
    steps: [
      ...[order, pick, ['agree with the carrier'], leave, ['agree with the carrier'], leave, ['bill']],
      ...[['reopen a bill'], ['agree with the carrier'], ['undo'], other, leave, leave, ['bill'], ['credit']],
    ],
  },
  {
    name: 'schedules change before they are sent, and afterwards they do not',
    steps: [
      ...[
        ['announce'],
        all,
        ['charge by hand'],
        ['finish a receipt'],
        ['bill'],
        ['schedule'],
        ['take off a schedule'],
      ],
      ...[['credit'], ['put on a schedule'], ['change a schedule'], ['approve'], ['take off a schedule']],
      ...[['change the terms'], ['approve'], ['remove a schedule'], ['approve'], ['hand a schedule over']],
    ],
  },
  {
    name: 'taxes, terms and names change between a bill and its schedule',
    steps: [
      ...[
        ['announce'],
        all,
        ['charge by hand'],
        ['change the tax'],
        ['charge by hand'],
        ['finish a receipt'],
        ['bill'],
      ],
      ...[['change the tax'], ['change the terms'], ['schedule'], ['credit'], ['change a schedule']],
      ...[['approve'], ['change the terms'], ['hand a schedule over'], ['credit'], ['withdraw a credit']],
      ...[['schedule'], ['remove a schedule'], ['reopen a bill'], ['withdraw a credit']],
    ],
  },
  {
    name: 'work is done besides, late and by others, and is charged by what it is',
    steps: [
      ...[order, ['do extra work'], ['agree on prices'], ['do extra work'], pick, ['do extra work'], leave],
      ...[
        ['change extra work'],
        leave,
        ['do extra work'],
        ['bill'],
        ['do extra work'],
        ['change extra work'],
      ],
      ...[['reopen a bill'], ['do extra work'], ['leave out a charge'], ['do extra work'], ['bill']],
    ],
  },
  {
    name: 'rules and cost centres change between the runs that bill by them',
    steps: [
      ...[['change the cost centre'], ['agree on storage'], ['change what runs do'], ['announce'], all],
      ...[['charge by hand'], ['finish a receipt'], ['change the cost centre'], ['change what runs do']],
      ...[['bill by a run'], ['change the cost centre'], ['find goods'], ['change what runs do'], ['credit']],
      ...[['bill by a run'], ['change what runs do']],
    ],
  },
  {
    name: 'bills are tested by other prices, and are adjusted to them sooner or later',
    steps: [
      ...[['announce'], all, ['do extra work'], ['leave out a charge'], ['finish a receipt'], ['bill']],
      ...[['agree on prices'], ['test prices'], ['change the cost centre'], ['adjust to a test'], ['credit']],
      ...[['agree on prices'], ['test prices'], ['reopen a bill'], ['adjust to a test'], ['bill']],
      ...[['test prices'], ['adjust to a test'], ['adjust to a test'], ['schedule']],
    ],
  },
]
