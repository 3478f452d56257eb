"""This machine and its Central: joined, left, and everything new sent there and fetched from there."""

from memlane.app.home.link import Membership
from memlane.app.shipment.courier import Behind, ShipReport
from memlane.app.shipment.desk import Shipment, ShipStanding

__all__ = ["Behind", "Membership", "ShipReport", "ShipStanding", "Shipment"]
