"""What is remembered, and how does a person change it?"""
