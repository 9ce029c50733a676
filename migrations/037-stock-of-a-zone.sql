-- The stock of one client in a zone or a location is found in the index alone. Before, each of a zone's
-- entries was read to see whose it is: 23,000 pages instead of 9,300 for 20,000 entries, four times as long.
create index inventory_listing_in_location on inventory_listing (organisation_id, warehouse_location_id,
  product_id, is_depleted, entry_id) include (partner_id);
drop index inventory_listing_of_location;
