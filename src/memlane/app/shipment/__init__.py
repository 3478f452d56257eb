"""This machine and its Central: joined, left, and everything new sent there and fetched from there."""

from memlane.app.shipment.courier import Behind, ShipReport
from memlane.app.shipment.desk import Shipment, ShipStanding
from memlane.app.shipment.link import Membership

__all__ = ["Behind", "Membership", "ShipReport", "ShipStanding", "Shipment"]
