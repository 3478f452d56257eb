"""What changes on this computer when Memory Lane is installed, and how is it undone?"""
