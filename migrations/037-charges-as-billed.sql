-- Back-tests compare millions of charges with what was billed. This index finds the billed charges of a
-- closing and holds every column that the comparison needs, so the table is not read. It replaces the index
-- of a consignment's charges. Spec 2.8.

create index consignment_charge_as_billed on consignment_charge (organisation_id, consignment_id,
  closing_number, ordinal) include (charge_type, is_included, amount_excl_tax);
drop index consignment_charge_of_consignment;
