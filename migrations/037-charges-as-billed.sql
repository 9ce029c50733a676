-- What consignments were billed is found by their closings and read from the index alone: back-tests compare
-- millions of charges with it. It takes the place of the index of a consignment's charges. Spec 2.8.

create index consignment_charge_as_billed on consignment_charge (organisation_id, consignment_id,
  closing_number, ordinal) include (charge_type, is_included, amount_excl_tax);
drop index consignment_charge_of_consignment;
