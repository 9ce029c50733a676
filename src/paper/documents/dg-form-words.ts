// The wording of the multimodal dangerous goods form, verbatim from the IMDG Code 5.4.5.

export const dangerousGoodsForm = {
  code: 'Multimodal dangerous goods form, IMDG Code 5.4.5',
  page: '{x} of {y} pages',
  box1: 'Shipper / Consignor / Sender',
  box2: 'Transport document number',
  box3: 'Page',
  box4: "Shipper's reference",
  box5: "Freight forwarder's reference",
  box6: 'Consignee',
  box7: 'Carrier (to be completed by the carrier)',
  box8: 'This shipment is within the limitations prescribed for: (delete non-applicable)',
  box9: 'Additional handling information',
  box10: 'Vessel / flight No. and date',
  box11: 'Port / place of loading',
  box12: 'Port / place of discharge',
  box13: 'Destination',
  marks: 'Shipping marks',
  description: '* Number and kind of packages; description of goods',
  grossMass: 'Gross mass (kg)',
  netMass: 'Net mass (kg)',
  cube: 'Cube (m³)',
  box15: 'Container identification No. / vehicle registration No.',
  box16: 'Seal number(s)',
  box17: 'Container / vehicle size & type',
  box18: 'Tare mass (kg)',
  box19: 'Total gross mass (including tare) (kg)',
  box20: 'Name of company',
  box21: 'Receiving organization remarks',
  box22: 'Name of company (of shipper preparing this note)',
  emergency: '24 hour contact number:',
  passengerAircraft: 'PASSENGER AND CARGO AIRCRAFT',
  cargoAircraft: 'CARGO AIRCRAFT ONLY',
  declarationTitle: "SHIPPER'S DECLARATION",
  declaration:
    'I hereby declare that the contents of this consignment are fully and accurately described below by ' +
    'the proper shipping name(s), and are classified, packaged, marked and labelled/placarded, and are in ' +
    'all respects in proper condition for transport according to the applicable international and national ' +
    'governmental regulations.',
  packingTitle: 'CONTAINER/VEHICLE PACKING CERTIFICATE',
  packing:
    'I hereby declare that the goods described above have been packed/loaded into the container/vehicle ' +
    'identified above in accordance with the applicable provisions.†',
  packingSigned:
    'MUST BE COMPLETED AND SIGNED FOR ALL CONTAINER/VEHICLE LOADS BY PERSON RESPONSIBLE FOR PACKING/LOADING',
  receiptTitle: 'RECEIVING ORGANIZATION RECEIPT',
  receipt:
    'Received the above number of packages/containers/trailers in apparent good order and condition, ' +
    'unless stated hereon:',
  declarant: 'Name/status of declarant',
  placeAndDate: 'Place and date',
  signatureOfDeclarant: 'Signature of declarant',
  haulier: "Haulier's name",
  vehicle: 'Vehicle reg. no.',
  driversSignature: "Signature and date (driver's signature)",
  total: 'Total',
  note:
    '* DANGEROUS GOODS: You must specify: UN number, proper shipping name, hazard class, packing group ' +
    '(where assigned), marine pollutant, and observe the mandatory requirements under applicable national ' +
    'and international governmental regulations. For the purposes of the IMDG Code, see 5.4.1.4.',
  notePacking: '† For the purposes of the IMDG Code, see 5.4.2.',
  notClaimed:
    'Limited quantities, segregation and net explosive mass are not stated here; the signatory checks ' +
    'them. Not valid for air transport.',
} as const
