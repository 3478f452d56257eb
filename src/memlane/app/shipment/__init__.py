"""This machine and its Central: joined, left, and everything new sent there and fetched from there."""

from memlane.app.home.link import Membership
from memlane.app.shipment.courier import ShipReport
from memlane.app.shipment.desk import Shipment, ShipStanding
from memlane.app.shipment.outbox import Behind
from memlane.app.shipment.sign_in import AtSignIn, DevicePrompt, OidcSignIn, SignsIn

__all__ = [
    "AtSignIn",
    "Behind",
    "DevicePrompt",
    "Membership",
    "OidcSignIn",
    "ShipReport",
    "ShipStanding",
    "Shipment",
    "SignsIn",
]
